import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import type { CollectionBody } from '#api/collections.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'

import { ACCOUNT_PAGES, pagesFor, SETTINGS_PAGES } from '#web/shared/navigation/app-pages.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useUser } from '#web/data/session/use-session.ts'

import { collectionPath, useFollow, usePageTitle } from '#web/shared/navigation/app-link.tsx'
import { commands } from '#web/ui/shortcuts/commands.ts'
import { IconMapQuestion, IconSearch } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import { MessageFrame } from './message-frame.tsx'
import { similarNames, type NamedTarget } from './similar-names.ts'

export function NotFoundPage() {
  usePageTitle(t('Not found'))
  const user = useUser()
  const { history } = useRouter()
  const { pathname } = useLocation()
  return (
    <MessageFrame
      icon={IconMapQuestion}
      title={t('Page not found')}
      actions={
        <>
          <Button component={Link} to={sessionConfig.routes.home} variant="filled">
            {t('Go home')}
          </Button>
          {user && (
            <Button
              leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
              onClick={() => commands.run('palette')}
            >
              {t('Search')}
            </Button>
          )}
          {history.canGoBack() && <Button onClick={() => history.back()}>{t('Go back')}</Button>}
        </>
      }
    >
      <p>
        <code dir="ltr">{pathname}</code>
      </p>
      <p>
        {t(
          'It may have been moved or deleted, or the URL may be wrong. If someone sent you this link, ask them whether you have access.',
        )}
      </p>
      {user && <Near path={pathname} scope={user.scope} />}
    </MessageFrame>
  )
}

const placeOf = ({ name, label }: CollectionBody): NamedTarget => ({
  href: collectionPath(name),
  label,
  names: [name, label],
})

function Near({ path, scope }: { readonly path: string; readonly scope: readonly string[] }) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const follow = useFollow()
  const pages = [...ACCOUNT_PAGES, ...pagesFor(SETTINGS_PAGES, scope)].map(
    ({ to, name }): NamedTarget => ({
      href: String(to),
      label: name,
      names: [name, String(to).split('/').at(-1) ?? ''],
    }),
  )
  const near = similarNames(path, [...collections.map(placeOf), ...pages])
  if (near.length === 0) return null
  return (
    <>
      <p id="near-names">{t('Were you looking for one of these?')}</p>
      <ul className="message-frame-near" aria-labelledby="near-names">
        {near.map(({ href, label }) => (
          <li key={href}>
            <a href={href} onClick={follow}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
