import { mount } from 'svelte';
import App from './App.svelte';
import { startRouter } from './router.svelte';
import { openSession } from './session.svelte';
import './ui/theme.css';

startRouter();
void openSession();
const target = document.getElementById('app');
if (target) mount(App, { target });
