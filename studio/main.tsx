import { render } from 'preact';
import { App } from './app.js';
import { findModels } from './models.js';
import { applyTheme } from './theme.js';

applyTheme();
findModels();
render(<App />, document.getElementById('app') as HTMLElement);
