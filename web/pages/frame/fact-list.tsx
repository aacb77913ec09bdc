import type { ReactNode } from 'react'
import './fact-list.css'

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
