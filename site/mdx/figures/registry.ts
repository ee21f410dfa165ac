/** The figures that pages may name: `<Figure name="op-conductor-design" />`. */
import { blockTimesFigures } from './block-times-figures.tsx';
import { DesignDrawing } from './DesignDrawing.tsx';
import type { FigureEntry } from './figure-entry.ts';
import { describeState, exitsOf, meaningOf, stateRowId, states } from './op-conductor-states.ts';
import { StatesDrawing } from './StatesDrawing.tsx';

export const figures: Readonly<Record<string, FigureEntry>> = {
  ...blockTimesFigures,
  'op-conductor-design': {
    title: 'The parts of op-conductor',
    text: 'op-conductor has four parts: an RPC server, a control loop, consensus and a health check loop. The sequencer stands beside it; the control loop starts and stops it.',
    table: {
      caption: 'Messages between the parts',
      columns: ['From', 'To', 'What'],
      rows: [
        ['RPC server', 'Control loop', 'Admin calls: start or pause the control loop'],
        ['RPC server', 'Consensus (raft)', 'Admin calls: transfer leadership, change the members of the cluster'],
        ['Health check loop', 'Control loop', 'The health of the sequencer has changed'],
        ['Consensus (raft)', 'Control loop', 'Leadership has changed'],
        ['Consensus (raft)', 'Consensus (raft)', 'Heartbeats and elections, with the other conductors'],
        ['Control loop', 'Sequencer', 'Start or stop; the answer says with which block'],
        ['Health check loop', 'Sequencer', 'Asks whether it is healthy'],
        ['Sequencer', 'Consensus (raft)', 'Commit the latest unsafe block'],
      ],
    },
    Drawing: DesignDrawing,
  },
  'op-conductor-states': {
    title: 'States of a conductor',
    text: 'A conductor leads or follows, its node is healthy or not, its sequencer is active or not: eight states. Followers are on the left and leaders on the right. A dashed line is an event, and a solid line is an action of the control loop. A double frame means a healthy state, and hatching means an error.',
    table: {
      caption: 'States and the transitions from them',
      columns: ['State', 'The conductor is', 'Action', 'Transitions'],
      rows: states.map((state) => [
        state.id,
        describeState(state),
        meaningOf(state),
        exitsOf(state.id)
          .map(({ to, label }) => `${label} (${to})`)
          .join('; '),
      ]),
    },
    rowIds: states.map(({ id }) => stateRowId(id)),
    Drawing: StatesDrawing,
  },
};
