import { Tabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { explorerText } from '../../text/explorer-text.js';

const { panel: text } = explorerText;

export type PanelTab = keyof typeof text.tabs;

export interface SidePanelProps {
  tab: PanelTab;
  onTab(tab: PanelTab): void;
  /** Cost of the operation, which stays visible next to the other tabs. Undefined: unknown. */
  cost: string | undefined;
  panels: Readonly<Record<PanelTab, ReactNode>>;
}

/** Shows the card next to the editor: price, documentation of the schema, or history. */
export function SidePanel({ tab, onTab, cost, panels }: SidePanelProps) {
  const tabs = Object.entries(text.tabs) as [PanelTab, string][];
  return (
    <section className="card" aria-label={text.label}>
      <Tabs.Root value={tab} onValueChange={(next: PanelTab) => onTab(next)}>
        <Tabs.List className="tabs panel-tabs" activateOnFocus>
          {tabs.map(([name, title]) => (
            <Tabs.Tab key={name} value={name}>
              {title}
              {name === 'price' && cost !== undefined && <span className="tag"> {cost}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([name]) => (
          <Tabs.Panel key={name} value={name}>
            {panels[name]}
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </section>
  );
}
