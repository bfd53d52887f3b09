import { render } from 'preact';
import { App } from './app.tsx';
import { watchAttention } from './attention.ts';
import { followLinks } from './router.ts';
import { resume } from './session.ts';
import './console.css';
import './lists.css';
import './shell.css';

followLinks();
watchAttention();
void resume();
const root = document.querySelector('#console');
if (root) render(<App />, root);
