import { ActionIcon, Button, FocusTrap } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { foldText } from '#domain/shared/text.ts'
import type { SettingHelp } from '#web/shared/setting-help/definition-settings.ts'
import { SETTINGS } from '#web/shared/setting-help/settings.ts'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconCopy, IconExternalLink, IconRoute, IconX } from '#web/ui/icons/later.ts'
import { IconSearch } from '#web/ui/icons/start.ts'
import { SearchField } from '#web/ui/controls/search-field.tsx'
import { ShortcutList, shortcutWords } from '#web/ui/shortcuts/shortcuts.tsx'
import { t } from '#web/i18n/t.ts'
import { type FilterChapter, filterChapters } from './filter-help.ts'
import { pageHelp } from './page-help.ts'
import './help-panel.css'
import { useQuery } from '@tanstack/react-query'
import { toursQuery } from '#web/data/queries/workspace-queries.ts'
import { type TourName, requestTour } from '#web/data/storage/pending-tour.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { useStore } from '#web/ui/store.ts'
import { activeListFilter } from '#web/data/storage/active-list-filter.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { notify } from '#web/ui/toast/notify.ts'

type PageTourProps = { readonly tour: TourName; readonly onBegin: () => void }

function PageTour({ tour, onBegin }: PageTourProps) {
  const user = useUser()
  const isOwner = user?.roles.some(({ id }) => id === 'owner') === true
  // Tours are hidden during impersonation, because their progress is stored in the user's account.
  const { data } = useQuery({ ...toursQuery, enabled: user?.view_as?.is_on !== true })
  if (data?.isOn !== true) return null
  return (
    <div className="help-tours">
      <TourButtons tour={tour} words={t('Take the tour of this page')} onBegin={onBegin} />
      {isOwner && tour === 'first-steps' && <TourButtons tour="owner" words={t('Owner tour')} onBegin={onBegin} />}
    </div>
  )
}

type TourButtonsProps = PageTourProps & { readonly words: string }

function TourButtons({ tour, words, onBegin }: TourButtonsProps) {
  const { data } = useQuery(toursQuery)
  const left = data?.items.find((one) => one.tour === tour && one.state !== 'done' && one.step > 0)
  const begin = (from: number) => {
    onBegin()
    requestTour(tour, from)
  }
  return (
    <div>
      <Button size="xs" leftSection={<IconRoute size={14} stroke={1.5} aria-hidden />} onClick={() => begin(0)}>
        {words}
      </Button>
      {left && (
        <Button size="xs" variant="subtle" onClick={() => begin(left.step)}>
          {t('Resume at step {step}', { step: left.step + 1 })}
        </Button>
      )}
    </div>
  )
}

type HelpKeys = {
  readonly name: string
  readonly lines: readonly { readonly keys: readonly string[]; readonly does: string }[]
}

type HelpPanelProps = {
  /** Whether the panel covers the page, because there is no room next to it. */
  readonly isWhole: boolean
  readonly keys: readonly HelpKeys[]
  readonly onClose: () => void
}

export function HelpPanel({ isWhole, keys, onClose }: HelpPanelProps) {
  const titleId = useId()
  const [text, setText] = useState('')

  function closeByKey(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    onClose()
  }

  return (
    <FocusTrap active={isWhole}>
      <section
        id="help-panel"
        className="help-panel"
        data-whole={isWhole || undefined}
        aria-labelledby={titleId}
        onKeyDown={closeByKey}
        {...(isWhole ? { role: 'dialog', 'aria-modal': true } : { role: 'complementary' })}
      >
        <header className="help-panel-head">
          <h2 id={titleId}>{t('Help')}</h2>
          <ActionIcon aria-label={t('Close help')} onClick={onClose}>
            <IconX size={18} stroke={1.5} aria-hidden />
          </ActionIcon>
        </header>
        <div className="help-panel-search">
          <SearchField label={t('Search help')} value={text} onChange={setText} hasFocus />
        </div>
        <HelpBody text={text} keys={keys} isWhole={isWhole} onClear={() => setText('')} onClose={onClose} />
      </section>
    </FocusTrap>
  )
}

type HelpBodyProps = HelpPanelProps & { readonly text: string; readonly onClear: () => void }

/** Without a search, shows help for the current page first and collapses the rest. */
function HelpBody({ text, keys, isWhole, onClear, onClose }: HelpBodyProps) {
  const { pathname } = useLocation()
  const requested = foldText(text).split(/\s+/).filter(Boolean)
  const found = findIn(requested, keys)
  const isRequested = requested.length > 0
  const page = pageHelp(pathname)
  return (
    <div className="help-panel-body">
      {!isRequested && page && (
        <Chapter title={page.name} isOpen>
          <p>{page.about}</p>
          {page.tour && <PageTour tour={page.tour} onBegin={onClose} />}
          {keys
            .filter(({ name }) => page.keys?.includes(name))
            .map((group) => (
              <KeyRows key={group.name} {...group} />
            ))}
        </Chapter>
      )}
      {found.chapters.length > 0 && (
        <Chapter title={t('Filter language')} isOpen={isRequested}>
          <FilterChapters chapters={found.chapters} onInsert={() => isWhole && onClose()} />
        </Chapter>
      )}
      {found.keys.length > 0 && (
        <Chapter title={t('Keyboard shortcuts')} isOpen={isRequested}>
          {found.keys.map((group) => (
            <KeyRows key={group.name} {...group} />
          ))}
        </Chapter>
      )}
      {found.settings.length > 0 && (
        <Chapter title={t('What is this setting?')} isOpen={isRequested}>
          <SettingTexts settings={found.settings} />
        </Chapter>
      )}
      <div role="status">
        {found.isNothing && (
          <EmptyState
            icon={IconSearch}
            text={t('No help found for “{words}”.', { words: text.trim() })}
            action={{ label: t('Show all'), onClick: onClear }}
          />
        )}
      </div>
      <p className="help-panel-api">
        <Button
          component={Link}
          to="/api/docs"
          size="xs"
          leftSection={<IconExternalLink size={14} stroke={1.5} aria-hidden />}
        >
          {t('API reference')}
        </Button>
      </p>
    </div>
  )
}

function findIn(requested: readonly string[], allKeys: readonly HelpKeys[]) {
  const has = (...texts: readonly string[]) => {
    const all = foldText(texts.join(' '))
    return requested.every((word) => all.includes(word))
  }
  const chapters = filterChapters()
    .map(({ title, examples }) => ({
      title,
      examples: examples.filter(({ filter, means }) => has(title, filter, means)),
    }))
    .filter(({ examples }) => examples.length > 0)
  const keys = allKeys
    .map(({ name, lines }) => ({
      name,
      lines: lines.filter((line) => has(name, line.does, ...line.keys.map((one) => shortcutWords(one)))),
    }))
    .filter(({ lines }) => lines.length > 0)
  const settings = Object.values(SETTINGS).filter(({ label, place, text }) => has(label, place, text))
  return { chapters, keys, settings, isNothing: chapters.length + keys.length + settings.length === 0 }
}

type ChapterProps = { readonly title: string; readonly isOpen?: boolean; readonly children: ReactNode }

function Chapter({ title, isOpen = false, children }: ChapterProps) {
  return (
    <details key={`${title} ${isOpen}`} className="help-chapter" open={isOpen}>
      <summary>
        <h3>{title}</h3>
      </summary>
      {children}
    </details>
  )
}

function KeyRows({ name, lines }: HelpKeys) {
  return (
    <>
      <h4>{name}</h4>
      <ShortcutList className="help-keys" lines={lines} />
    </>
  )
}

function SettingTexts({ settings }: { readonly settings: readonly SettingHelp[] }) {
  const places = [...new Set(settings.map(({ place }) => place))]
  return places.map((place) => (
    <section key={place}>
      <h4>{place}</h4>
      <dl className="help-settings">
        {settings
          .filter((one) => one.place === place)
          .map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
    </section>
  ))
}

type FilterChaptersProps = {
  readonly chapters: readonly FilterChapter[]
  readonly onInsert: () => void
}

function FilterChapters({ chapters, onInsert }: FilterChaptersProps) {
  const take = useStore(activeListFilter)
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
  // The Clipboard API requires HTTPS or localhost.
  const written = window.isSecureContext
    ? navigator.clipboard.writeText(filter)
    : Promise.reject(new Error('no access'))
  void written.then(
    () => notify.success(t('Copied. Paste it into a list’s filter.')),
    () => notify.warning(t('Your browser blocked copying. Select the text and copy it manually.')),
  )
}
