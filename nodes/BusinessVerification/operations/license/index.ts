export * from './verify.operation';
