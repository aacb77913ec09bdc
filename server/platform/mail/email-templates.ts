import type { Language } from '#domain/languages/language.ts'

/** A letter: plain text alone, which every reader shows and nobody can hide anything in. */
export type Email = { readonly to: string; readonly subject: string; readonly text: string }

/** To whom a letter goes, and in which language they read. */
export type Recipient = { readonly to: string; readonly name: string; readonly language: Language }

/** One sentence in the languages in which letters are written; whoever reads another gets English. */
export type LocalizedText = { readonly en: string; readonly de: string }

type Place = { readonly publicUrl: URL }

/** Names are written by people; in a letter they are one short line. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{C}]+/gu, ' ').trim()

function codeUrl({ publicUrl }: Place, path: string, code: string): string {
  const url = new URL(path, publicUrl)
  url.searchParams.set('code', code)
  return url.href
}

const pageUrl = ({ publicUrl }: Place, path: string): string => new URL(path, publicUrl).href

const textFor = ({ language }: Recipient, { en, de }: LocalizedText): string => (language === 'de' ? de : en)

/** A letter with its greeting; a paragraph is said in the reader's language, or is a link as it stands. */
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

/** Invites somebody; the link works once. */
export function invitationEmail(
  place: Place,
  who: Recipient & { readonly inviter: string; readonly code: string },
): Email {
  const [inviter, host] = [oneLine(who.inviter), place.publicUrl.host]
  return createEmail(who, { en: 'Your invitation to Dossier', de: 'Ihre Einladung zu Dossier' }, [
    {
      en: `${inviter} invites you to the Dossier workspace at ${host}. Open this link to choose a password and come in:`,
      de: `${inviter} lädt Sie in den Dossier-Arbeitsbereich auf ${host} ein. Öffnen Sie diesen Link, um ein Passwort zu wählen und hineinzukommen:`,
    },
    codeUrl(place, '/invitation', who.code),
    {
      en: 'The link works once and for 48 hours. If you did not expect this letter, ignore it: nothing happens.',
      de: 'Der Link gilt einmal und 48 Stunden lang. Falls Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie: Es geschieht nichts.',
    },
  ])
}

/** Lets somebody choose a new password; the link works once. */
export function passwordResetEmail(place: Place, who: Recipient & { readonly code: string }): Email {
  const { host } = place.publicUrl
  return createEmail(who, { en: 'Choose a new password for Dossier', de: 'Ein neues Passwort für Dossier wählen' }, [
    {
      en: `somebody, probably you, asked for a new password for your account at ${host}. Open this link to choose one:`,
      de: `jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihr Konto auf ${host} angefordert. Öffnen Sie diesen Link, um eines zu wählen:`,
    },
    codeUrl(place, '/reset-password', who.code),
    {
      en: 'The link works once and for one hour. If it was not you, ignore this letter: your password stays as it is.',
      de: 'Der Link gilt einmal und eine Stunde lang. Falls Sie es nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
    },
  ])
}

const TOKENS_REVOKED: LocalizedText = {
  en: 'Your API tokens were revoked. Programs that use them need new ones.',
  de: 'Ihre API-Tokens wurden widerrufen. Programme, die sie verwenden, brauchen neue.',
}

const SIGNED_OUT: { readonly [Which in 'others' | 'all']: LocalizedText } = {
  all: { en: 'You were signed out everywhere.', de: 'Sie wurden überall abgemeldet.' },
  others: { en: 'You were signed out everywhere else.', de: 'Sie wurden überall sonst abgemeldet.' },
}

/** Tells somebody that their password is another one now. */
export function passwordChangedEmail(
  place: Place,
  who: Recipient,
  { endedSessions, revokedTokens }: { readonly endedSessions: 'others' | 'all'; readonly revokedTokens: number },
): Email {
  const { host } = place.publicUrl
  const ended = SIGNED_OUT[endedSessions]
  const subject = { en: 'Your password for Dossier was changed', de: 'Ihr Passwort für Dossier wurde geändert' }
  return createEmail(who, subject, [
    {
      en: `the password of your account at ${host} was changed. ${ended.en}`,
      de: `das Passwort Ihres Kontos auf ${host} wurde geändert. ${ended.de}`,
    },
    ...(revokedTokens > 0 ? [TOKENS_REVOKED] : []),
    {
      en: 'If it was not you, choose a new password at once:',
      de: 'Falls Sie es nicht waren, wählen Sie sofort ein neues Passwort:',
    },
    pageUrl(place, '/forgot-password'),
  ])
}

/** Tells somebody that one of their sessions was used in two places and has been ended. */
export function sessionReusedEmail(place: Place, who: Recipient, device: string): Email {
  const { host } = place.publicUrl
  const subject = {
    en: 'One of your sign-ins to Dossier was ended',
    de: 'Eine Ihrer Anmeldungen bei Dossier wurde beendet',
  }
  return createEmail(who, subject, [
    {
      en: `a sign-in to your account at ${host} (${device}) was used in two places, as a stolen one would be. To be safe it has been ended. Your other sign-ins go on.`,
      de: `eine Anmeldung bei Ihrem Konto auf ${host} (${device}) wurde an zwei Orten benutzt, wie es mit einer gestohlenen geschähe. Zur Sicherheit wurde sie beendet. Ihre anderen Anmeldungen bleiben bestehen.`,
    },
    {
      en: 'If this happens again, change your password and look through the places where you are signed in:',
      de: 'Falls das wieder geschieht, ändern Sie Ihr Passwort und sehen Sie nach, wo Sie angemeldet sind:',
    },
    pageUrl(place, '/account/sessions'),
  ])
}

/** Tells somebody what happened to the second factors of their account; `news` is one sentence. */
export function secondFactorEmail(place: Place, who: Recipient, news: LocalizedText): Email {
  const { host } = place.publicUrl
  const subject = { en: 'The security of your Dossier account', de: 'Die Sicherheit Ihres Dossier-Kontos' }
  return createEmail(who, subject, [
    { en: `about your account at ${host}: ${news.en}`, de: `zu Ihrem Konto auf ${host}: ${news.de}` },
    {
      en: 'If it was not you, change your password at once and look through your security settings:',
      de: 'Falls Sie es nicht waren, ändern Sie sofort Ihr Passwort und sehen Sie Ihre Sicherheitseinstellungen durch:',
    },
    pageUrl(place, '/account/security'),
  ])
}
