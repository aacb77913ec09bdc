import type { ReactNode } from 'react'
import { LANGUAGES } from '#domain/shared/language.ts'
import { reloadInLanguage } from '#web/shared/appearance-settings.ts'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import { t } from '#web/i18n/t.ts'
import { LANGUAGE, LANGUAGE_NAMES } from '#web/i18n/locale.ts'
import './guest-frame.css'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useBranding, useWorkspaceTitle } from '#web/data/session/branding.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'

type GuestFrameProps = {
  readonly title: string
  readonly lead?: ReactNode
  /** Whether the content is still loading, so that its height may change. */
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
        <span dir="auto">{useWorkspaceTitle()}</span>
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

type BrandMarkProps = { readonly sizePx: number }

/** The workspace's logo, or the product's logo if there is none. */
export function BrandMark({ sizePx }: BrandMarkProps) {
  const { logo } = useBranding()
  if (logo !== null) return <img className="brand-logo" src={logo} width={sizePx} height={sizePx} alt="" />
  return (
    <svg className="brand-mark" width={sizePx} height={sizePx} viewBox="0 0 32 32" aria-hidden>
      <rect x="3" y="2" width="26" height="28" rx="5" fill="var(--primary)" />
      <path d="M3 7a5 5 0 0 1 5-5h2v28H8a5 5 0 0 1-5-5Z" fill="#000" opacity=".32" />
      <rect x="14" y="9" width="10.5" height="2.5" rx="1.25" fill="var(--on-primary)" />
      <rect x="14" y="14.5" width="7" height="2.5" rx="1.25" fill="var(--on-primary)" opacity=".72" />
    </svg>
  )
}

type BackToSignInProps = { readonly children?: string; readonly isMain?: boolean }

export function BackToSignIn({ children = t('Back to sign-in'), isMain = false }: BackToSignInProps) {
  return (
    <Button
      component={Link}
      to={sessionConfig.routes.login}
      size="md"
      fullWidth
      {...(isMain && { variant: 'filled' as const })}
    >
      {children}
    </Button>
  )
}
