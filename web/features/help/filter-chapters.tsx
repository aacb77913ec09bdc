import { ActionIcon } from '@mantine/core'
import { IconCopy } from '#web/kit/icons/icon-copy.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { t } from '#web/language/t.ts'
import type { FilterChapter } from './filter-help.ts'

/** The filter language, each example with a way to take it along. */
export function FilterChapters({ chapters }: { readonly chapters: readonly FilterChapter[] }) {
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
            <ActionIcon size={28} aria-label={t('Copy {filter}', { filter })} onClick={() => copy(filter)}>
              <IconCopy size={16} stroke={1.5} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  ))
}

function copy(filter: string): void {
  // Browsers give the clipboard only to https and to this very machine.
  const written = window.isSecureContext
    ? navigator.clipboard.writeText(filter)
    : Promise.reject(new Error('no access'))
  void written.then(
    () => notify.success(t('Copied. Paste it into the filter of a list.')),
    () => notify.warning(t('The browser does not let this page copy. Select the text and copy it by hand.')),
  )
}
