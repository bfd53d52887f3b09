// The engine under the name it had before it became a package of its own: `import { compileApi } from 'dateline/versions'`.
export * from '@dateline/versions';
