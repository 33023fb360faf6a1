import { Link, useLocation } from 'wouter';
import { Icon } from '../parts/text/icon.js';
import { shellText } from '../text/shell-text.js';
import { GROUPS, ROUTES, routesFor } from './console-routes.js';
import { useSession } from './login/session-context.js';

/** Shows the navigation with all pages by group. `onGo` closes the drawer of narrow screens. */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const [location] = useLocation();
  const { role } = useSession();
  const route = ROUTES.find(({ path }) => path === location);
  const current = route?.below ?? route?.path;
  return (
    <nav className="nav" aria-label={shellText.navigation}>
      {GROUPS.filter((group) => ROUTES.some(({ nav }) => nav?.group === group)).map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {routesFor(role)
              .filter(({ nav }) => nav?.group === group)
              .map(({ path, title, nav }) => (
                <li key={path}>
                  <Link href={path} onClick={() => onGo?.()} aria-current={path === current ? 'page' : undefined}>
                    <Icon name={nav!.icon} />
                    <span>{title}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
