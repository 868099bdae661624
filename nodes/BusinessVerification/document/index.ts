export * from './answers';
export * from '../sheet/batches';
export * from './vocabulary';
export * from './inquiries';
export * from './routes';
export * from '../seller/search';
