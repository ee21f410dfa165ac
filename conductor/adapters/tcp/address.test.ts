import { expect, test } from 'vitest';
import { addressFault, parseHostPort } from './address.ts';

test.each([
  ['127.0.0.1:50050', { host: '127.0.0.1', port: 50_050, isLiteral: true }],
  [':80', { host: '127.0.0.1', port: 80, isLiteral: true }],
  ['[::1]:1', { host: '::1', port: 1, isLiteral: true }],
  ['[fe80::1%eth0]:65535', { host: 'fe80::1%eth0', port: 65_535, isLiteral: true }],
  [
    'sequencer-0.conductor.svc.cluster.local:50050',
    { host: 'sequencer-0.conductor.svc.cluster.local', port: 50_050, isLiteral: false },
  ],
  ['node_1:80', { host: 'node_1', port: 80, isLiteral: false }],
])('%s can be dialled', (address, expected) => {
  expect(parseHostPort(address)).toEqual(expected);
  expect(addressFault(address)).toBeNull();
});

test.each([
  '',
  ':',
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

test.each([
  ['', 'missing address'],
  ['host', 'address host: missing port in address'],
  ['host:', 'address host:: missing port in address'],
  ['::1:1', 'address ::1:1: too many colons in address'],
  ['http://a:1', 'address http://a:1: too many colons in address'],
  ['[::1]', 'address [::1]: missing port in address'],
  ['[::1:1', "address [::1:1: missing ']' in address"],
  ['[::1]x:1', 'address [::1]x:1: missing port in address'],
  ['[::1]:1:2', 'address [::1]:1:2: too many colons in address'],
  ['host:99999', 'address 99999: invalid port'],
  ['host:-1', 'address -1: invalid port'],
])('what is wrong with “%s” is said as in Go', (address, fault) => {
  expect(addressFault(address)).toBe(fault);
});

test('the name of a service is no port', () => {
  expect(addressFault('127.0.0.1:http')).toMatch(/the port must be a number/);
});

test.each(['[host]:80', '[127.0.0.1]:80', 'host:0000080'])('“%s” is refused before it is stored', (address) => {
  expect(addressFault(address)).toMatch(/not an address that can be dialled/);
});
