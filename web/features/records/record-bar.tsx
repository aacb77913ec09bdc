import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { IconArrowDown } from '#web/kit/icons/icon-arrow-down.ts'
import { IconArrowUp } from '#web/kit/icons/icon-arrow-up.ts'
import { IconDots } from '#web/kit/icons/icon-dots.ts'
import { IconLink } from '#web/kit/icons/icon-link.ts'
import { IconTrash } from '#web/kit/icons/icon-trash.ts'
import { notify } from '#web/kit/toast/notify.ts'
import type { DraftSaver } from './draft-saver.ts'
import { breachesOf, type RecordDraft } from './record-draft.ts'
import { SaveStatus } from './save-status.tsx'
import { useDeleteRecords } from './use-delete-records.ts'
import { type ListPosition, type Neighbour, useNeighbours } from './use-neighbours.ts'
import './record-view.css'

type RecordBarProps = {
  readonly collection: KnownCollection
  readonly recordId: string
  readonly title: string
  readonly draft: RecordDraft
  readonly saver: DraftSaver
  readonly position: ListPosition | undefined
  readonly onGo: (recordId: string, ordinal: number) => void
  readonly onLeave: () => void
  /** What else can be asked about it. */
  readonly actions?: ReactNode
}

/** Above a record: how it stands with saving, the way to the next one, and what can be done with it as a whole. */
export function RecordBar(props: RecordBarProps) {
  const { collection, recordId, draft, saver, position, onGo, actions } = props
  const { previous, next } = useNeighbours(collection.name, position, recordId)
  return (
    <div className="record-bar">
      <SaveStatus draft={draft} isMarked={isMarked(collection, draft)} onRetry={() => void saver.flush()} />
      <div className="record-bar-end">
        {position && (
          <>
            <Step label="Previous record" to={previous} onGo={onGo} icon={IconArrowUp} />
            <Step label="Next record" to={next} onGo={onGo} icon={IconArrowDown} />
          </>
        )}
        {actions}
        <RecordMenu {...props} />
      </div>
    </div>
  )
}

/** Whether what is wrong stands beside a field, and not above them all. */
const isMarked = ({ fields }: KnownCollection, draft: RecordDraft): boolean =>
  Object.keys(draft.errors).length > 0 ||
  breachesOf(draft).some(({ path }) => fields.some((field) => field.name === path))

type StepProps = {
  readonly label: string
  readonly to: Neighbour | undefined
  readonly onGo: (recordId: string, ordinal: number) => void
  readonly icon: typeof IconArrowUp
}

/** Stays focusable at the end of the list, so that the focus is not lost on reaching it. */
function Step({ label, to, onGo, icon: Icon }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        aria-disabled={to === undefined}
        {...(to === undefined && { 'data-disabled': true })}
        onClick={() => to && onGo(to.id, to.ordinal)}
      >
        <Icon size={18} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}

function RecordMenu({ collection, recordId, title, saver, onLeave }: RecordBarProps) {
  const deleteRecords = useDeleteRecords(collection.name)
  const copy = () =>
    void navigator.clipboard.writeText(window.location.href.split('?')[0] ?? '').then(
      () => notify.success('Link copied'),
      () => notify.error('The link could not be copied', { detail: 'Copy it from the address bar instead.' }),
    )
  const remove = () => {
    void saver.flush()
    deleteRecords({ ids: [recordId], title })
    onLeave()
  }
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon aria-label="More about this record">
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLink size={16} stroke={1.5} aria-hidden />} onClick={copy}>
          Copy link
        </Menu.Item>
        {collection.can.includes('records:delete') && (
          <Menu.Item color="danger" leftSection={<IconTrash size={16} stroke={1.5} aria-hidden />} onClick={remove}>
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
