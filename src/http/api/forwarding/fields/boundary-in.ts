import { ApiError } from '../../../../errors/api-error.ts';

export function boundaryIn(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (!boundary) throw unreadableForm();
  return boundary;
}

export function unreadableForm(): ApiError {
  return new ApiError('invalid_request', { detail: 'The body is no form that can be read.' });
}
