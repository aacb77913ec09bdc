import type { ReactNode } from 'react'
import type { PersonBody, RecordBody } from '#api/records.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { Say } from '#web/i18n/say.tsx'
import { personIn } from '#web/shared/fields/record-title.ts'
import './record-view.css'

export function RecordTimes({ record }: { readonly record: RecordBody }) {
  const { createdAt, updatedAt } = record
  const me = useUser()?.id ?? null
  const created = valuesOf(createdAt, personIn(record, 'createdBy'), me)
  const updated = valuesOf(updatedAt, personIn(record, 'updatedBy'), me)
  return (
    <footer className="record-times">
      <span>
        {created.by === 'me' && <Say text="Created {when} by you" values={created} />}
        {created.by === 'other' && <Say text="Created {when} by {name}" values={created} />}
        {created.by === 'unknown' && <Say text="Created {when}" values={created} />}
      </span>
      {updatedAt !== createdAt && (
        <span>
          {updated.by === 'me' && <Say text="Updated {when} by you" values={updated} />}
          {updated.by === 'other' && <Say text="Updated {when} by {name}" values={updated} />}
          {updated.by === 'unknown' && <Say text="Updated {when}" values={updated} />}
        </span>
      )}
    </footer>
  )
}

type Values = { readonly by: 'me' | 'other' | 'unknown'; readonly when: ReactNode; readonly name: string }

function valuesOf(at: string, person: PersonBody | null, me: string | null): Values {
  const name = person?.name ?? ''
  const by = person !== null && person.id === me ? 'me' : name === '' ? 'unknown' : 'other'
  return { by, when: <RelativeTime at={at} />, name }
}
