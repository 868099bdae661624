export * from './acceptTerms.operation';
export * from './getApiKey.operation';
export * from './getProfile.operation';
