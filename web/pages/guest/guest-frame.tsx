import type { ReactNode } from 'react'
import { LANGUAGES } from '#domain/shared/language.ts'
import { reloadInLanguage } from '#web/shared/appearance-settings.ts'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import { t } from '#web/i18n/t.ts'
import { LANGUAGE, LANGUAGE_NAMES } from '#web/i18n/locale.ts'
import { BrandMark } from './brand-mark.tsx'
import './guest-frame.css'

type GuestFrameProps = {
  readonly title: string
  readonly lead?: ReactNode
  /** The content is loading and may need different space. */
  readonly isComing?: boolean
  readonly children?: ReactNode
  readonly foot?: ReactNode
}

export function GuestFrame({ title, lead, isComing = false, children, foot }: GuestFrameProps) {
  usePageTitle(title)
  return (
    <main className="guest-frame">
      <div className="guest-frame-brand">
        <BrandMark sizePx={28} />
        <span>{t('Dossier')}</span>
      </div>
      <section key={isComing ? 'coming' : 'there'} className="guest-frame-card">
        <h1>{title}</h1>
        {lead && <p className="guest-frame-lead">{lead}</p>}
        {children}
      </section>
      {foot && <div className="guest-frame-foot">{foot}</div>}
      <nav
        key={isComing ? 'later' : 'now'}
        className="guest-frame-languages"
        hidden={isComing}
        aria-label={t('Language')}
      >
        {LANGUAGES.map((language) => (
          <button
            key={language}
            type="button"
            lang={language}
            aria-current={language === LANGUAGE || undefined}
            onClick={() => reloadInLanguage(language)}
          >
            {LANGUAGE_NAMES[language]}
          </button>
        ))}
      </nav>
    </main>
  )
}
