import { describe, expect, it } from 'vitest';
import { nearestPages, type KnownPage } from './nearest.ts';

const pages: readonly KnownPage[] = [
  '/builders/chain-operators/tools/op-conductor',
  '/builders/chain-operators/tools/op-deployer',
  '/builders/node-operators/configuration/base-config',
  '/builders/app-developers/bridging/standard-bridge',
  '/chain/addresses',
  '/chain/networks',
].map((route) => ({ route, label: route }));

const best = (asked: string): string | undefined => nearestPages(asked, pages)[0]?.route;

describe('pages whose address nearly matches', () => {
  it.each([
    ['/builders/chain-operators/tools/op-conducter', '/builders/chain-operators/tools/op-conductor'],
    ['/builders/chain-operators/tools/op-conductor.html', '/builders/chain-operators/tools/op-conductor'],
    ['/builders/chain-operators/tools/op-conductor/', '/builders/chain-operators/tools/op-conductor'],
    ['/op-conductor', '/builders/chain-operators/tools/op-conductor'],
    ['/docs/tools/op_deployer.md', '/builders/chain-operators/tools/op-deployer'],
    ['/Chain/Addresses/index.html', '/chain/addresses'],
    ['/chain/adresses', '/chain/addresses'],
  ])('%s → %s', (asked, route) => {
    expect(best(asked)).toBe(route);
  });

  it('names none when nothing is like it', () => {
    expect(nearestPages('/wp-login.php', pages)).toEqual([]);
    expect(nearestPages('/', pages)).toEqual([]);
  });

  it('names at most four, the likeliest first', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ route: `/page-${index}`, label: '' }));
    expect(nearestPages('/page-7', many)).toHaveLength(4);
    expect(nearestPages('/page-7', many)[0]?.route).toBe('/page-7');
  });

  it('takes a very long address without delay', () => {
    const started = performance.now();
    nearestPages(`/${'a/'.repeat(20_000)}`, pages);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
