export * from './get.operation';
export * from './getAll.operation';
export * from './getInquiries.operation';
export * from './submit.operation';
export * from './wait.operation';
