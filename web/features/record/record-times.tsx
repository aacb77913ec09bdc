import { Button, Skeleton } from '@mantine/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { PersonBody, RecordBody } from '#api/records.ts'
import type { RecordHistoryProps } from './record-history.tsx'
import { useUser } from '#web/data/session/use-session.ts'
import { Say } from '#web/i18n/say.tsx'
import { personIn } from '#web/shared/fields/record-title.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { IconHistory } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'

const recordHistory = lazyModule(() => import('./record-history.tsx'))

/** When and by whom the record was created and changed, and its history on demand. */
export function RecordFooter(props: RecordHistoryProps) {
  const { record } = props
  const historyId = useId()
  const place = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const { RecordHistory } = useLazyModule(recordHistory, isOpen) ?? {}
  const show = () => {
    setIsOpen(true)
    place.current?.focus()
  }
  useCommand({
    id: 'record-history',
    label: t('Show history'),
    alsoCalled: t('Versions, revisions, change log'),
    about: 'page',
    icon: IconHistory,
    run: show,
  })
  return (
    <>
      <div className="record-foot">
        <RecordTimes record={record} />
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconHistory size={16} stroke={1.5} />}
          aria-expanded={isOpen}
          aria-controls={historyId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t('Hide history') : t('Show history')}
        </Button>
      </div>
      <div id={historyId} ref={place} tabIndex={-1}>
        {isOpen &&
          (RecordHistory ? (
            <RecordHistory {...props} />
          ) : (
            <Skeleton height={48} role="status" aria-busy aria-label={t('Loading')} />
          ))}
      </div>
    </>
  )
}

function RecordTimes({ record }: { readonly record: RecordBody }) {
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
