export * from './getResult.operation';
export * from './getStatus.operation';
export * from './submit.operation';
export * from './submitAndWait.operation';
