import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { IconSearch } from '#web/ui/icons/start.ts'
import { SearchField } from '#web/ui/controls/search-field.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { areaLabel } from './area-labels.ts'
import { FirstSteps } from './first-steps.tsx'
import { type Area, areasOf, findOperations, type OpenApiDocument } from './open-api.ts'
import { OperationView } from './operation-view.tsx'
import './api-reference.css'

/** All that programs can ask, by what it is about. */
export function ApiReference({ document: given }: { readonly document: OpenApiDocument }) {
  const [text, setText] = useState('')
  const asked = useDeferredValue(text)
  const all = areasOf(given)
  const areas = findOperations(all, asked)
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
        {asked.trim() === '' && <FirstSteps operation={firstOf(all)} origin={given.servers[0]?.url ?? ''} />}
        {count === 0 && (
          <EmptyState
            icon={IconSearch}
            text={t('No endpoints match “{words}”.', { words: asked.trim() })}
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

/** What anybody can ask without knowing more: the list of one of their collections, or which collections there are. */
const firstOf = (areas: readonly Area[]) =>
  areas
    .flatMap(({ operations }) => operations)
    .find(({ operationId }) => operationId.endsWith('.list') || operationId === 'listCollections')

const nameOf = ({ isCollection, name }: Area): string => (isCollection ? name : areaLabel(name))

/** Areas and collections may bear the same name. */
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

/** The operation the address names behind its `#`, brought into sight. */
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
