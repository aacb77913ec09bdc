import type { ReactNode } from 'react'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import './page-frame.css'
import './fact-list.css'

type PageFrameProps = {
  readonly title: string
  /** Page title if the heading is a greeting. */
  readonly name?: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  /** `narrow` for forms and text, `middle` for settings, `wide` for tables, `full` for everything. */
  readonly width?: 'narrow' | 'middle' | 'wide' | 'full'
  readonly children: ReactNode
}

export function PageFrame({ title, name = title, lead, actions, width = 'narrow', children }: PageFrameProps) {
  usePageTitle(name)
  return (
    <div className="page-frame" data-width={width}>
      <header className="page-frame-head">
        <div data-tour="page-title">
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && (
          <div className="page-frame-actions" data-tour="page-actions">
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}

/** `mark`: anchor for the palette. */
type Fact = { readonly name: string; readonly value: ReactNode; readonly mark?: string }

type FactListProps = { readonly facts: readonly Fact[] }

export function FactList({ facts }: FactListProps) {
  return (
    <dl className="fact-list">
      {facts.map(({ name, value, mark }) => (
        <div key={name} data-tour={mark}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
