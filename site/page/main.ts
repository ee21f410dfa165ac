/**
 * The script of every page: what moves and is no island. Plain DOM, a few kB; pages are complete without it.
 */
import { installCards } from './cards-opener.ts';
import { installContents } from './contents.ts';
import { installCopy } from './copy.ts';
import { installFeedback } from './feedback-opener.ts';
import { installIslands } from './islands.ts';
import { installMenu } from './menu.ts';
import { installOffline } from './offline-opener.ts';
import { installOwnCluster } from './own-cluster-opener.ts';
import { installScrollers } from './scrollers.ts';
import { installSearch } from './search-opener.ts';
import { settle } from './settle.ts';
import { installSteps } from './steps.ts';
import { installTabs } from './tabs.ts';
import { installTheme } from './theme.ts';
import { installWrap } from './wrap.ts';

installTheme();
installTabs();
installSteps();
installCopy();
installWrap();
installContents();
installMenu();
installScrollers();
installSearch();
installIslands();
installOffline();
installOwnCluster();
installFeedback();
installCards();
settle();

const nearest = document.querySelector<HTMLElement>('[data-nearest]');
if (nearest !== null) void import('./nearest.ts').then(({ showNearest }) => showNearest(nearest));

const tables = document.querySelectorAll<HTMLElement>('[data-table-filter]');
if (tables.length > 0) void import('./table-filter.ts').then(({ addTableFilter }) => tables.forEach(addTableFilter));

const addresses = document.querySelectorAll<HTMLElement>('td > [data-address]');
if (addresses.length > 0) void import('./copy-address.ts').then(({ addCopyButtons }) => addCopyButtons(addresses));

const states = document.querySelector<HTMLElement>('[data-figure="op-conductor-states"]');
if (states !== null) void import('./state-diagram.ts').then(({ installStateDiagram }) => installStateDiagram(states));

if (document.querySelector('[data-enlarge]') !== null)
  void import('./enlarge.ts').then(({ installEnlarge }) => installEnlarge());

if (document.querySelector('[data-step-through]') !== null)
  void import('./step-through.ts').then(({ installStepThrough }) => installStepThrough());
