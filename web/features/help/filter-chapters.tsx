import { ActionIcon } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { activeListFilter } from '#web/data/storage/active-list-filter.ts'
import { IconCopy } from '#web/ui/icons/general.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import type { FilterChapter } from './filter-help.ts'

type FilterChaptersProps = {
  readonly chapters: readonly FilterChapter[]
  /** Inserts an example into the filter of the open list. */
  readonly onInsert: () => void
}

/** Each example can be copied or inserted into the list. */
export function FilterChapters({ chapters, onInsert }: FilterChaptersProps) {
  const take = useSyncExternalStore(activeListFilter.subscribe, activeListFilter.snapshot)
  return chapters.map(({ title, examples }) => (
    <section key={title}>
      <h4>{title}</h4>
      <ul className="help-filters">
        {examples.map(({ filter, means }) => (
          <li key={filter}>
            <div>
              <code dir="ltr">{filter}</code>
              <span>{means}</span>
            </div>
            {take ? (
              <ActionIcon
                size={28}
                aria-label={t('Add {filter} to this list’s filter', { filter })}
                onClick={() => {
                  onInsert()
                  take(filter)
                }}
              >
                <IconPlus size={16} stroke={1.5} aria-hidden />
              </ActionIcon>
            ) : (
              <ActionIcon size={28} aria-label={t('Copy {filter}', { filter })} onClick={() => copy(filter)}>
                <IconCopy size={16} stroke={1.5} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </section>
  ))
}

function copy(filter: string): void {
  // The clipboard needs https or localhost.
  const written = window.isSecureContext
    ? navigator.clipboard.writeText(filter)
    : Promise.reject(new Error('no access'))
  void written.then(
    () => notify.success(t('Copied. Paste it into a list’s filter.')),
    () => notify.warning(t('Your browser blocked copying. Select the text and copy it manually.')),
  )
}
