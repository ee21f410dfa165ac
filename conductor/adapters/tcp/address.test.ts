import { expect, test } from 'vitest';
import { parseHostPort } from './address.ts';

test.each([
  ['127.0.0.1:50050', { host: '127.0.0.1', port: 50_050, isLiteral: true }],
  ['[::1]:1', { host: '::1', port: 1, isLiteral: true }],
  ['[fe80::1%eth0]:65535', { host: 'fe80::1%eth0', port: 65_535, isLiteral: true }],
  [
    'sequencer-0.conductor.svc.cluster.local:50050',
    { host: 'sequencer-0.conductor.svc.cluster.local', port: 50_050, isLiteral: false },
  ],
  ['node_1:80', { host: 'node_1', port: 80, isLiteral: false }],
])('%s can be dialled', (address, expected) => {
  expect(parseHostPort(address)).toEqual(expected);
});

test.each([
  '',
  ':',
  ':80',
  'host',
  'host:',
  'host:0',
  'host:65536',
  'host:-1',
  'host:8o',
  'host:+1',
  '::1:80',
  '[::1]',
  '[host]:80',
  '[127.0.0.1]:80',
])('“%s” cannot', (address) => {
  expect(parseHostPort(address)).toBeNull();
});
