import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import { collectionsQuery } from '#web/client/collections-query.ts'
import { useShownTitle } from '#web/client/page-title.ts'
import './breadcrumbs.css'

/** Where one is: the collection or the list it belongs to, where there is one, then the page. */
export function Breadcrumbs() {
  const title = useShownTitle()
  const { collection: name } = useParams({ strict: false })
  const { pathname } = useLocation()
  const { data: collections } = useQuery({ ...collectionsQuery, enabled: name !== undefined })
  const collection = collections?.find((one) => one.name === name || one.id === name)
  const isInside = collection !== undefined && title !== collection.label

  return (
    <nav className="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {isInside && (
          <li>
            <Link to="/collections/$collection" params={{ collection: collection.name }}>
              {collection.label}
            </Link>
          </li>
        )}
        {pathname.startsWith('/settings/roles/') && (
          <li>
            <Link to="/settings/roles">Roles</Link>
          </li>
        )}
        <li aria-current="page" title={title}>
          {title}
        </li>
      </ol>
    </nav>
  )
}
