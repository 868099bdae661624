/**
 * Texts of strangers, such as headers of a sheet and answers of the service, where n8n's editor shows them. Hints,
 * descriptions, and notifications are read as HTML; the message of an error is shown as it is, but also in notifications.
 */

/** For HTML. */
export const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** For a text that may be shown either way: what is left cannot begin a tag. */
export const withoutTags = (text: string): string =>
	text.replace(/<[a-z/!?][^>]*>?/gi, '').replace(/<(?=[</a-z!?])/gi, '');
