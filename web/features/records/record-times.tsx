import type { RecordBody } from '#api/records.ts'
import { useUser } from '#web/client/use-session.ts'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import { Say } from '#web/language/say.tsx'
import './record-view.css'

/** When a record was made and last changed; by whom, as far as that is known here. */
export function RecordTimes({ record }: { readonly record: RecordBody }) {
  const { createdAt, createdBy, updatedAt, updatedBy } = record
  const created = { when: <RelativeTime at={createdAt} /> }
  const changed = { when: <RelativeTime at={updatedAt} /> }
  const me = useUser()?.id ?? null
  const isMine = (userId: string | null) => userId !== null && userId === me
  return (
    <footer className="record-times">
      <span>
        {isMine(createdBy) ? (
          <Say text="Created {when} by you" values={created} />
        ) : (
          <Say text="Created {when}" values={created} />
        )}
      </span>
      {updatedAt !== createdAt && (
        <span>
          {isMine(updatedBy) ? (
            <Say text="Changed {when} by you" values={changed} />
          ) : (
            <Say text="Changed {when}" values={changed} />
          )}
        </span>
      )}
    </footer>
  )
}
