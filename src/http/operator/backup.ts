import { recordAudit } from '../../audit/audit-log.ts';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { BackupMaker } from '../../recovery/backup/make-backup.ts';
import type { App } from '../app/create-app.ts';
import { liftDeadline } from '../app/lift-deadline.ts';
import { operatorOf } from './acting-operator.ts';
import { Text } from './fields.ts';
import { operationsOf } from './operation.ts';

/** Backups of the embedded database. One holds both environments, so only admins of production get it. */
export function backupRoutes(app: App, environment: Environment, backups: BackupMaker): void {
  const operation = operationsOf(app, 'Backups');

  operation(
    'POST /operator/backup',
    {
      id: 'make_backup',
      needs: 'admin',
      summary: 'Make a backup of the embedded database while it is in use, in production',
      description:
        'It holds both environments as they are at one moment, encrypted with the secret key, which is not in it. "dateline restore" reads it.',
      answer: {
        description: 'The bytes of the backup.',
        mediaType: 'application/octet-stream',
        body: Text,
      },
      errors: ['conflict'],
    },
    async (request, reply) => {
      if (environment.name !== 'production')
        throw new ApiError('conflict', {
          detail: 'A backup holds both environments: ask the operator API of production.',
        });
      liftDeadline(request);
      const backup = await backups.make();
      try {
        await recordAudit(environment, [{ actor: operatorOf(request), action: 'backup.made' }]);
      } catch (error) {
        backup.destroy();
        throw error;
      }
      return reply.type('application/octet-stream').send(backup);
    },
  );
}
