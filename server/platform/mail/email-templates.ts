import type { UserId } from '#domain/shared/ids.ts'
import { type Language, toLanguage } from '#domain/shared/language.ts'
import type { Reader } from '#server/platform/database/database.ts'

/** Plain text only, which every email client displays and which can't hide anything. */
export type Email = { readonly to: string; readonly subject: string; readonly text: string }

export type Recipient = { readonly to: string; readonly name: string; readonly language: Language }

export type LocalizedText = { readonly en: string; readonly de: string }

/** A workspace without a name uses the product's name. */
type Place = { readonly publicUrl: URL; readonly workspace?: string }

const brandOf = ({ workspace = '' }: Place): string => (workspace === '' ? 'Dossier' : oneLine(workspace))

/** Names are user input, so they are limited to one short line in emails. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{C}]+/gu, ' ').trim()

function codeUrl({ publicUrl }: Place, path: string, code: string): string {
  const url = new URL(path, publicUrl)
  url.searchParams.set('code', code)
  return url.href
}

const pageUrl = ({ publicUrl }: Place, path: string): string => new URL(path, publicUrl).href

const textFor = ({ language }: Recipient, { en, de }: LocalizedText): string => (language === 'de' ? de : en)

function createEmail(
  reader: Recipient,
  subject: LocalizedText,
  paragraphs: readonly (LocalizedText | string)[],
): Email {
  const name = oneLine(reader.name)
  const all = [{ en: `Hello ${name},`, de: `Guten Tag ${name},` }, ...paragraphs]
  const text = all.map((paragraph) => (typeof paragraph === 'string' ? paragraph : textFor(reader, paragraph)))
  return { to: reader.to, subject: textFor(reader, subject), text: `${text.join('\n\n')}\n` }
}

export function invitationEmail(
  place: Place,
  who: Recipient & { readonly inviter: string; readonly code: string },
): Email {
  const [inviter, host, brand] = [oneLine(who.inviter), place.publicUrl.host, brandOf(place)]
  return createEmail(who, { en: `Your invitation to ${brand}`, de: `Ihre Einladung zu ${brand}` }, [
    {
      en: `${inviter} invited you to the workspace ${brand} at ${host}. Open this link to set a password and sign in:`,
      de: `${inviter} hat Sie in den Arbeitsbereich ${brand} auf ${host} eingeladen. Öffnen Sie diesen Link, um ein Passwort festzulegen und sich anzumelden:`,
    },
    codeUrl(place, '/invitation', who.code),
    {
      en: 'The link works once and expires in 48 hours. If you didn’t expect this email, you can ignore it.',
      de: 'Der Link gilt einmal und 48 Stunden lang. Falls Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',
    },
  ])
}

export function passwordResetEmail(place: Place, who: Recipient & { readonly code: string }): Email {
  const [host, brand] = [place.publicUrl.host, brandOf(place)]
  return createEmail(who, { en: `Reset your ${brand} password`, de: `Ihr Passwort für ${brand} zurücksetzen` }, [
    {
      en: `We received a request to reset the password of your account at ${host}. Open this link to set a new one:`,
      de: `für Ihr Konto auf ${host} wurde ein neues Passwort angefordert. Öffnen Sie diesen Link, um eines festzulegen:`,
    },
    codeUrl(place, '/reset-password', who.code),
    {
      en: 'The link works once and expires in one hour. If it wasn’t you, you can ignore this email: your password won’t change.',
      de: 'Der Link gilt einmal und eine Stunde lang. Falls Sie es nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
    },
  ])
}

const TOKENS_REVOKED: LocalizedText = {
  en: 'Your API tokens were revoked. Programs that use them need new ones.',
  de: 'Ihre API-Tokens wurden widerrufen. Programme, die sie verwenden, brauchen neue.',
}

const SIGNED_OUT: { readonly [Which in 'others' | 'all']: LocalizedText } = {
  all: { en: 'You were signed out on all devices.', de: 'Sie wurden auf allen Geräten abgemeldet.' },
  others: { en: 'You were signed out on all other devices.', de: 'Sie wurden auf allen anderen Geräten abgemeldet.' },
}

export function passwordChangedEmail(
  place: Place,
  who: Recipient,
  { endedSessions, revokedTokens }: { readonly endedSessions: 'others' | 'all'; readonly revokedTokens: number },
): Email {
  const [host, brand] = [place.publicUrl.host, brandOf(place)]
  const ended = SIGNED_OUT[endedSessions]
  const subject = { en: `Your ${brand} password was changed`, de: `Ihr Passwort für ${brand} wurde geändert` }
  return createEmail(who, subject, [
    {
      en: `The password of your account at ${host} was changed. ${ended.en}`,
      de: `das Passwort Ihres Kontos auf ${host} wurde geändert. ${ended.de}`,
    },
    ...(revokedTokens > 0 ? [TOKENS_REVOKED] : []),
    {
      en: 'If it wasn’t you, reset your password now:',
      de: 'Falls Sie es nicht waren, setzen Sie Ihr Passwort jetzt zurück:',
    },
    pageUrl(place, '/forgot-password'),
  ])
}

export function sessionReusedEmail(place: Place, who: Recipient, device: string): Email {
  const [host, brand] = [place.publicUrl.host, brandOf(place)]
  const subject = {
    en: `You were signed out of ${brand} for security reasons`,
    de: `Sie wurden aus Sicherheitsgründen bei ${brand} abgemeldet`,
  }
  return createEmail(who, subject, [
    {
      en: `A session of your account at ${host} (${device}) was ended because its token was used on two devices, which can mean that it was stolen. Your other sessions are still active.`,
      de: `eine Sitzung Ihres Kontos auf ${host} (${device}) wurde beendet, weil ihr Token auf zwei Geräten benutzt wurde, was auf einen Diebstahl hindeuten kann. Ihre anderen Sitzungen bleiben aktiv.`,
    },
    {
      en: 'If this happens again, change your password and review your sessions:',
      de: 'Falls das wieder geschieht, ändern Sie Ihr Passwort und prüfen Sie Ihre Sitzungen:',
    },
    pageUrl(place, '/account/sessions'),
  ])
}

export function secondFactorEmail(place: Place, who: Recipient, news: LocalizedText): Email {
  const [host, brand] = [place.publicUrl.host, brandOf(place)]
  const subject = {
    en: `Security notice for your ${brand} account`,
    de: `Sicherheitshinweis zu Ihrem Konto bei ${brand}`,
  }
  return createEmail(who, subject, [
    { en: `Your account at ${host} has changed: ${news.en}`, de: `zu Ihrem Konto auf ${host}: ${news.de}` },
    {
      en: 'If it wasn’t you, change your password now and review your security settings:',
      de: 'Falls Sie es nicht waren, ändern Sie jetzt Ihr Passwort und prüfen Sie Ihre Sicherheitseinstellungen:',
    },
    pageUrl(place, '/account/security'),
  ])
}

export async function languageOfUser(db: Reader, id: UserId): Promise<Language> {
  const row = await db.selectFrom('users').select('language').where('id', '=', id).executeTakeFirst()
  return toLanguage(row?.language) ?? 'en'
}
