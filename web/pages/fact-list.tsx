import type { ReactNode } from 'react'
import './fact-list.css'

type FactListProps = { readonly facts: readonly { readonly name: string; readonly value: ReactNode }[] }

/** Names and what they stand for, one below the other. */
export function FactList({ facts }: FactListProps) {
  return (
    <dl className="fact-list">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
