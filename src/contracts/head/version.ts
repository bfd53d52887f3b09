import { apiVersion } from '../../versions/api-version.ts';

// Moved on by "dateline contract release".
export const headVersion = apiVersion('2027-01');
