import type { RecordBody } from '#api/records.ts'
import { useUser } from '#web/client/use-session.ts'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import { Say } from '#web/language/say.tsx'
import { t } from '#web/language/t.ts'
import './record-view.css'

/** When a record was made and last changed; by whom, as far as that is known here. */
export function RecordTimes({ record }: { readonly record: RecordBody }) {
  const { createdAt, createdBy, updatedAt, updatedBy } = record
  return (
    <footer className="record-times">
      <span>
        <Say
          text="Created {relativeTime}{byWhom}"
          values={{ relativeTime: <RelativeTime at={createdAt} />, byWhom: <ByWhom userId={createdBy} /> }}
        />
      </span>
      {updatedAt !== createdAt && (
        <span>
          <Say
            text="Changed {relativeTime}{byWhom}"
            values={{ relativeTime: <RelativeTime at={updatedAt} />, byWhom: <ByWhom userId={updatedBy} /> }}
          />
        </span>
      )}
    </footer>
  )
}

function ByWhom({ userId }: { readonly userId: string | null }) {
  const user = useUser()
  return userId !== null && userId === user?.id ? t(' by you') : null
}
