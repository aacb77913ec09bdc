import { IconSearch } from '#web/ui/icons/start.ts'
import { ariaShortcut, keysOf, ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import { t } from '#web/i18n/t.ts'
import './search-button.css'

export function SearchButton({ onOpen }: { readonly onOpen: () => void }) {
  const keys = keysOf('palette') ?? ''
  return (
    <button
      type="button"
      className="search-button"
      data-tour="search"
      aria-keyshortcuts={ariaShortcut(keys)}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <IconSearch size={16} stroke={1.5} aria-hidden />
      <span className="search-button-word">
        <span aria-hidden>{t('Search')}</span>
        <span className="visually-hidden">{t('Search and commands')}</span>
      </span>
      <ShortcutHint keys={keys} />
    </button>
  )
}
