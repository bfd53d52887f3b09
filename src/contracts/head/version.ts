import { apiVersion } from '@dateline/versions';

// Moved on by "dateline contract release".
export const headVersion = apiVersion('2027-01');
