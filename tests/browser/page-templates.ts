/** One page of each kind that the site has, by path below its address: what is true of these is true of their likes. */
export const pageTemplates = {
  home: '',
  conductor: 'builders/chain-operators/tools/op-conductor',
  index: 'builders/tools',
  concept: 'stack/components',
  tutorial: 'builders/app-developers/tutorials/cross-dom-bridge-eth',
  reference: 'chain/addresses',
  interactive: 'builders/tools/fee-calculator',
  notice: 'builders/notices/holocene-changes',
  'not found': 'nowhere',
} as const;
