import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconSearch } from '#web/ui/icons/start.ts'
import { SearchField } from '#web/ui/controls/search-field.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { type Area, areasOf, findOperations, type OpenApiDocument, type Operation } from './open-api.ts'
import { OperationView } from './operation-view.tsx'
import './api-reference.css'
import type { AreaName } from '#api/all-endpoints.ts'
import { Link } from '@tanstack/react-router'
import { Say } from '#web/i18n/say.tsx'
import { Code } from './code-block.tsx'
import { curlCommand } from './curl-command.ts'

type FirstStepsProps = {
  /** The operation used in the first example. */
  readonly operation: Operation | undefined
  readonly origin: string
}

const PARTS = {
  code: (text: ReactNode) => <code>{text}</code>,
  tokens: (text: ReactNode) => <Link to="/settings/tokens">{text}</Link>,
}

function FirstSteps({ operation, origin }: FirstStepsProps) {
  return (
    <section className="api-begin" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('Getting started')}</h2>
      <ol>
        <li>
          <Say
            text={t('Create a token under <tokens>API tokens</tokens> and store it in a shell variable.')}
            parts={PARTS}
          />
          <Code text="export DOSSIER_TOKEN='…'" label={t('Set the token variable')} />
        </li>
        {operation && (
          <li>
            {t('Send a request.')}
            <Code text={curlCommand(operation, origin)} label={t('First request')} />
          </li>
        )}
        <li>
          <Say
            text={t(
              'In errors, <code>code</code> is a stable value for programs, and <code>detail</code> is a message for people. For 429 and 503 responses, <code>Retry-After</code> says when to retry.',
            )}
            parts={PARTS}
          />
        </li>
      </ol>
      <p>
        <Say
          text={t(
            'Dates use the time zone in the <code>Time-Zone</code> header, such as Europe/Vienna. The default is UTC.',
          )}
          parts={PARTS}
        />
      </p>
    </section>
  )
}

const LABELS: { readonly [Name in AreaName]: string } = {
  Records: t('Records'),
  Collections: t('Collections'),
  Views: t('Views'),
  'Favorites and home': t('Favorites and home'),
  Files: t('Files'),
  Uploads: t('Uploads'),
  'Import and export': t('Import and export'),
  'Sign-in': t('Authentication'),
  Account: t('Account'),
  People: t('People'),
  Roles: t('Roles'),
  Workspace: t('Workspace'),
}

/** The translated name of an area, or the server's name for it. */
const areaLabel = (area: string): string => Object.entries(LABELS).find(([name]) => name === area)?.[1] ?? area

export function ApiReference({ document: given }: { readonly document: OpenApiDocument }) {
  const [text, setText] = useState('')
  const requested = useDeferredValue(text)
  const all = areasOf(given)
  const areas = findOperations(all, requested)
  const count = areas.reduce((sum, { operations }) => sum + operations.length, 0)
  const wanted = useOperationInHash()
  const side = useRef<HTMLDivElement>(null)
  const search = () => side.current?.querySelector('input')?.focus()
  useCommand({ id: 'search-list', label: t('Search the API reference'), about: 'page', icon: IconSearch, run: search })
  return (
    <div className="api-reference">
      <div className="api-side" ref={side}>
        <SearchField label={t('Search the API reference')} value={text} onChange={setText} />
        <p role="status">{plural(count, '{n} endpoint', '{n} endpoints')}</p>
        <nav aria-label={t('Sections')}>
          <AreaLinks name={t('Your collections')} areas={areas.filter(({ isCollection }) => isCollection)} />
          <AreaLinks name={t('Other')} areas={areas.filter(({ isCollection }) => !isCollection)} />
        </nav>
      </div>
      <div className="api-areas">
        {requested.trim() === '' && <FirstSteps operation={firstOf(all)} origin={given.servers[0]?.url ?? ''} />}
        {count === 0 && (
          <EmptyState
            icon={IconSearch}
            text={t('No endpoints match “{words}”.', { words: requested.trim() })}
            action={{ label: t('Show all'), onClick: () => setText('') }}
          />
        )}
        {areas.map((area) => (
          <section key={idOf(area)} id={idOf(area)} aria-labelledby={`${idOf(area)}-title`}>
            <h2 id={`${idOf(area)}-title`}>{nameOf(area)}</h2>
            {area.operations.map((operation) => (
              <OperationView
                key={operation.operationId}
                operation={operation}
                document={given}
                isOpen={wanted === operation.operationId}
              />
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}

const firstOf = (areas: readonly Area[]) =>
  areas
    .flatMap(({ operations }) => operations)
    .find(({ operationId }) => operationId.endsWith('.list') || operationId === 'listCollections')

const nameOf = ({ isCollection, name }: Area): string => (isCollection ? name : areaLabel(name))

/** The prefix prevents conflicts between areas and collections with the same name. */
const idOf = ({ isCollection, operations, name }: Area): string =>
  isCollection ? `of-${operations[0]?.['x-collection'] ?? ''}` : name.toLowerCase().replaceAll(' ', '-')

function AreaLinks({ name, areas }: { readonly name: string; readonly areas: readonly Area[] }) {
  if (areas.length === 0) return null
  return (
    <>
      <h2>{name}</h2>
      <ul>
        {areas.map((area) => (
          <li key={idOf(area)}>
            <a href={`#${idOf(area)}`}>{nameOf(area)}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

function useOperationInHash(): string {
  const [wanted, setWanted] = useState(() => decodeURIComponent(window.location.hash.slice(1)))
  useEffect(() => {
    const look = () => setWanted(decodeURIComponent(window.location.hash.slice(1)))
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [])
  useEffect(() => {
    if (wanted !== '') document.getElementById(wanted)?.scrollIntoView({ block: 'start' })
  }, [wanted])
  return wanted
}
