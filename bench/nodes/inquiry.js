/** An inquiry made of a row, as all clients of the benchmarks make it that are programs. */
exports.inquiryOf = (row) => ({
	businessName: row['Business Name'],
	businessDba: row.DBA,
	businessCity: row.City,
	businessState: row.State,
	businessEin: row.EIN,
	businessAddressLine1: row['Address Line 1'],
	businessAddressLine2: row['Address Line 2'],
	businessZip: row.Zip,
	businessPhone: row.Phone,
	businessEmail: row.Email,
	businessDomain: row.Domain,
	businessSosId: row['SOS ID'],
	principals: [{ lastName: row['Principal 1 Last Name'] }],
	externalId: row['External ID'],
});
