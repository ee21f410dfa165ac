/**
 * What authors may use in pages without importing it, what the engine puts there by itself (CodeBlock, Diagram),
 * and what stands for Markdown's own elements. README.md beside this file shows each.
 */
import { Badges } from './Badges.tsx';
import { Callout } from './Callout.tsx';
import { Card, Cards } from './Cards.tsx';
import { Code } from './Code.tsx';
import { CodeBlock } from './CodeBlock.tsx';
import { Diagram } from './Diagram.tsx';
import { Figure } from './figures/Figure.tsx';
import { Heading2, Heading3, Heading4 } from './Heading.tsx';
import { Island } from './Island.tsx';
import { OrderedList } from './OrderedList.tsx';
import { Step, Steps } from './Steps.tsx';
import { HeaderCell, Table } from './Table.tsx';
import { TableFilter } from './TableFilter.tsx';
import { Tab, Tabs } from './Tabs.tsx';
import { Term } from './Term.tsx';

export const components = {
  Badges,
  Callout,
  Card,
  Cards,
  CodeBlock,
  Diagram,
  Figure,
  Island,
  Step,
  Steps,
  Tab,
  TableFilter,
  Tabs,
  Term,
  code: Code,
  h2: Heading2,
  h3: Heading3,
  h4: Heading4,
  ol: OrderedList,
  table: Table,
  th: HeaderCell,
};
