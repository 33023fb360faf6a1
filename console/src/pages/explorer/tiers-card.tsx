import { useAdmin } from '../../api/use-admin.js';
import { PriceByTierDocument, type PriceByTierQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Load } from '../../parts/feedback/load.js';
import { short } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { explorerText } from '../../text/explorer-text.js';

const { tiers: text } = explorerText;

type Tier = PriceByTierQuery['tiers']['nodes'][number];

/** Shows how many operations of this cost the bucket of each tier allows. Rules are ignored. */
export function TiersCard({ cost }: { cost: number }) {
  const query = useAdmin(PriceByTierDocument, {});
  return (
    <Card title={text.title}>
      <Load query={query} rows={3}>
        {({ tiers }) => (
          <div className="table-scroll">
            <table className="table table-dense">
              <thead>
                <tr>
                  <th scope="col">{text.tier}</th>
                  <th scope="col" className="number">
                    {text.burst}
                  </th>
                  <th scope="col" className="number">
                    {text.sustained}
                  </th>
                  <th scope="col" className="number">
                    {text.share}
                  </th>
                </tr>
              </thead>
              <tbody>
                {tiers.nodes
                  .filter(({ retiredAt }) => !retiredAt)
                  .map((tier) => (
                    <TierRow key={tier.name} tier={tier} cost={cost} />
                  ))}
              </tbody>
            </table>
          </div>
        )}
      </Load>
    </Card>
  );
}

function TierRow({ tier, cost }: { tier: Tier; cost: number }) {
  const { name, capacity, refillAmount, refillPeriodMs, maxCostPerOperation } = tier;
  const most = Math.min(capacity, maxCostPerOperation ?? capacity);
  const perMinute = (refillAmount * 60_000) / refillPeriodMs;
  return (
    <tr>
      <td>
        <Name>{name}</Name> {tier.isDefault && <span className="tag">{commonText.defaultTag}</span>}
      </td>
      {cost > most ? (
        <td className="number" colSpan={3}>
          <span className="pill pill-bad">{text.tooExpensive}</span> {text.maximum(short(most))}
        </td>
      ) : (
        <>
          <td className="number">{cost === 0 ? text.unlimited : text.times(short(Math.floor(capacity / cost)))}</td>
          <td className="number">{cost === 0 ? text.unlimited : text.perMinute(short(perMinute / cost))}</td>
          <td className="number">{`${Math.round((100 * cost) / capacity)}%`}</td>
        </>
      )}
    </tr>
  );
}
