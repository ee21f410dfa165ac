import { describe, expect, it } from 'vitest';
import { referenceLink, relinked } from './conductor-reference-links.ts';

describe('links within the reference of Conductor', () => {
  it('lead to the page that has a flag or a method, and stay on the page where they are', () => {
    expect(referenceLink('--paused', '/conductor/flags')).toBe('#--paused');
    expect(referenceLink('--paused', '/conductor/rpc')).toBe('/conductor/flags#--paused');
    expect(referenceLink('conductor_pause', '/conductor/flags')).toBe('/conductor/rpc#conductor_pause');
    expect(referenceLink('rpcdiscover', '/conductor/flags')).toBe('/conductor/rpc#rpcdiscover');
  });

  it('lead to other pages by their own anchors, and to the Conductor page for all else', () => {
    expect(referenceLink('metrics', '/conductor/flags')).toBe('/conductor/metrics');
    expect(relinked('[a](#sequencer-health-monitoring) and [b](/x#y)', '/conductor/rpc')).toBe(
      '[a](/builders/chain-operators/tools/op-conductor#sequencer-health-monitoring) and [b](/x#y)',
    );
  });
});
