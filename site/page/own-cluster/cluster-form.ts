/**
 * The dialog in which the reader's servers are entered. Nothing leaves the page: the form is read by script and belongs
 * to no address. Keyboard: Tab goes through the fields, Enter keeps them, Esc closes without a change.
 */
import {
  addressNames,
  clusterOf,
  patterns,
  SERVERS_MAX,
  usualPorts,
  type OwnCluster,
  type PortName,
} from '../../own-cluster/cluster.ts';
import { make } from '../make.ts';

const hostNames = ['conductor', 'node', 'client'] as const;
const serverWords = { id: 'Server id', conductor: 'Conductor', node: 'op-node', client: 'Execution client' } as const;
const portWords: Readonly<Record<PortName, string>> = {
  conductor: 'Conductor’s RPC',
  consensus: 'Consensus',
  metrics: 'Metrics',
  node: 'op-node’s RPC',
  client: 'Client’s RPC',
};
const addressWords = { sequencer: 'Sequencer', l1: 'L1 client', beacon: 'L1 beacon node' } as const;

/** Begins with what is known; `keep` gets what was entered, or null for “Forget”. */
export function openClusterForm(known: OwnCluster | null, keep: (cluster: OwnCluster | null) => void): void {
  const rows = make('div', { className: 'own-rows' });
  const count = known?.servers.length ?? 3;
  for (let number = 0; number < count; number += 1) rows.append(rowOf(known, number));
  const add = make('button', { type: 'button' }, 'Another server');
  add.addEventListener('click', () => {
    if (rows.children.length < SERVERS_MAX) rows.append(rowOf(null, rows.children.length));
    add.hidden = rows.children.length >= SERVERS_MAX;
    rows.lastElementChild?.querySelector('input')?.focus();
  });
  const less = make('button', { type: 'button' }, 'One less');
  less.addEventListener('click', () => {
    if (rows.children.length > 1) rows.lastElementChild?.remove();
    add.hidden = false;
  });
  const form = make(
    'form',
    { method: 'dialog', className: 'own-form' },
    make(
      'p',
      {},
      'Enter them once, and every command on this site names them. They are kept in this browser and sent nowhere.',
    ),
    make('fieldset', {}, make('legend', {}, 'Servers'), rows, make('p', { className: 'own-buttons' }, add, less)),
    make('fieldset', {}, make('legend', {}, 'Ports'), ...portFields(known)),
    make('fieldset', {}, make('legend', {}, 'Network, as far as you want it filled in'), ...networkFields(known)),
  );
  const dialog = make('dialog', { className: 'own-dialog', ariaLabel: 'Your servers' }, form);
  form.append(buttonsOf(dialog, known, keep));
  form.addEventListener('submit', () => {
    const cluster = clusterOf(valuesOf(form, rows));
    if (cluster !== null) keep(cluster);
  });
  dialog.dataset['print'] = 'no';
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function buttonsOf(dialog: HTMLDialogElement, known: OwnCluster | null, keep: (cluster: null) => void): HTMLElement {
  const close = make('button', { type: 'button' }, 'Cancel');
  close.addEventListener('click', () => dialog.close());
  const forget = make('button', { type: 'button', hidden: known === null }, 'Forget them');
  forget.addEventListener('click', () => {
    keep(null);
    dialog.close();
  });
  return make(
    'p',
    { className: 'own-buttons' },
    make('button', { type: 'submit', className: 'own-keep' }, 'Fill in'),
    close,
    forget,
  );
}

function rowOf(known: OwnCluster | null, number: number): HTMLElement {
  const server = known?.servers[number];
  const id = field('id', serverWords.id, {
    value: server?.id ?? `sequencer-${number}`,
    pattern: patterns.id,
    required: true,
  });
  const first = field('conductor', serverWords.conductor, {
    value: server?.conductor ?? '',
    pattern: patterns.host,
    placeholder: `conductor-${number}`,
    required: true,
  });
  const others = (['node', 'client'] as const).map((name) =>
    field(name, serverWords[name], {
      value: server === undefined || server[name] === server.conductor ? '' : server[name],
      pattern: patterns.host,
      placeholder: 'the same machine',
    }),
  );
  return make('div', { className: 'own-row', role: 'group', ariaLabel: `Server ${number + 1}` }, id, first, ...others);
}

function portFields(known: OwnCluster | null): HTMLElement[] {
  return (Object.keys(usualPorts) as PortName[]).map((name) =>
    field(name, portWords[name], {
      type: 'number',
      min: '1',
      max: '65535',
      required: true,
      value: String(known?.ports[name] ?? usualPorts[name]),
    }),
  );
}

function networkFields(known: OwnCluster | null): HTMLElement[] {
  const network = { value: known?.network ?? '', pattern: patterns.network, placeholder: 'op-mainnet' };
  return [
    field('network', 'Network', network),
    ...addressNames.map((name) =>
      field(name, addressWords[name], {
        value: known?.addresses[name] ?? '',
        pattern: patterns.address,
        placeholder: 'http://…',
      }),
    ),
  ];
}

function field(name: string, words: string, properties: Partial<HTMLInputElement>): HTMLElement {
  const input = make('input', { name, className: 'control', autocomplete: 'off', spellcheck: false, ...properties });
  return make('label', {}, words, input);
}

function valuesOf(form: HTMLFormElement, rows: HTMLElement): unknown {
  const textOf = (host: HTMLElement, name: string): string =>
    host.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value.trim() ?? '';
  const servers = [...rows.querySelectorAll<HTMLElement>('.own-row')].map((row) => {
    const [conductor = '', ...others] = hostNames.map((name) => textOf(row, name));
    const [node, client] = others.map((host) => host || conductor);
    return { id: textOf(row, 'id'), conductor, node, client };
  });
  const ports = [...form.querySelectorAll<HTMLInputElement>('input[type=number]')];
  return {
    servers,
    ports: Object.fromEntries(ports.map(({ name, value }) => [name, Number(value)])),
    network: textOf(form, 'network'),
    addresses: Object.fromEntries(addressNames.map((name) => [name, textOf(form, name)])),
  };
}
