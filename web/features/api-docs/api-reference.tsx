import { useDeferredValue, useEffect, useState } from 'react'
import { SearchField } from '#web/kit/search-field.tsx'
import { plural, t } from '#web/language/t.ts'
import { type Area, areasOf, findOperations, type OpenApiDocument } from './open-api.ts'
import { OperationView } from './operation-view.tsx'
import './api-reference.css'

/** All that programs can ask, by what it is about. */
export function ApiReference({ document: given }: { readonly document: OpenApiDocument }) {
  const [text, setText] = useState('')
  const asked = useDeferredValue(text)
  const areas = findOperations(areasOf(given), asked)
  const count = areas.reduce((sum, { operations }) => sum + operations.length, 0)
  const wanted = useWanted()
  return (
    <div className="api-reference">
      <div className="api-side">
        <SearchField label={t('Search the reference')} value={text} onChange={setText} />
        <p role="status">{plural(count, '{n} endpoint', '{n} endpoints')}</p>
        <nav aria-label={t('Areas')}>
          <AreaLinks name={t('Your collections')} areas={areas.filter(({ isCollection }) => isCollection)} />
          <AreaLinks name={t('Everything else')} areas={areas.filter(({ isCollection }) => !isCollection)} />
        </nav>
      </div>
      <div className="api-areas">
        {areas.map((area) => (
          <section key={idOf(area)} id={idOf(area)} aria-labelledby={`${idOf(area)}-title`}>
            <h2 id={`${idOf(area)}-title`}>{area.name}</h2>
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
            <a href={`#${idOf(area)}`}>{area.name}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The operation the address names behind its `#`, brought into sight. */
function useWanted(): string {
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
