// Loaded when it is first needed: that takes a tenth of a second, which a start had better not wait for. A module of ours, because
// a bundle has the names of a library in the older form of modules only where it is imported statically.
export { Client } from 'undici';
