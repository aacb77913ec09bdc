/** A letter: plain text alone, which every reader shows and nobody can hide anything in. */
export type Letter = { readonly to: string; readonly subject: string; readonly text: string }

type Place = { readonly publicUrl: URL }

/** Names are written by people; in a letter they are one short line. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{C}]+/gu, ' ').trim()

function link({ publicUrl }: Place, path: string, code: string): string {
  const url = new URL(path, publicUrl)
  url.searchParams.set('code', code)
  return url.href
}

const letter = (to: string, subject: string, paragraphs: readonly string[]): Letter => ({
  to,
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
})

/** Invites somebody; the link works once. */
export function invitationLetter(
  place: Place,
  who: { readonly to: string; readonly name: string; readonly inviter: string; readonly code: string },
): Letter {
  return letter(who.to, 'Your invitation to Dossier', [
    `Hello ${oneLine(who.name)},`,
    `${oneLine(who.inviter)} invites you to the Dossier workspace at ${place.publicUrl.host}. Open this link to choose a password and come in:`,
    link(place, '/invitation', who.code),
    'The link works once and for 48 hours. If you did not expect this letter, ignore it: nothing happens.',
  ])
}

/** Lets somebody choose a new password; the link works once. */
export function resetLetter(
  place: Place,
  who: { readonly to: string; readonly name: string; readonly code: string },
): Letter {
  return letter(who.to, 'Choose a new password for Dossier', [
    `Hello ${oneLine(who.name)},`,
    `somebody, probably you, asked for a new password for your account at ${place.publicUrl.host}. Open this link to choose one:`,
    link(place, '/reset-password', who.code),
    'The link works once and for one hour. If it was not you, ignore this letter: your password stays as it is.',
  ])
}

/** Tells somebody that their password is another one now. */
export const passwordChangedLetter = (
  place: Place,
  who: { readonly to: string; readonly name: string },
  endedSessions: 'others' | 'all',
): Letter =>
  letter(who.to, 'Your password for Dossier was changed', [
    `Hello ${oneLine(who.name)},`,
    `the password of your account at ${place.publicUrl.host} was changed. ${endedSessions === 'all' ? 'You were signed out everywhere.' : 'You were signed out everywhere else.'}`,
    'If it was not you, choose a new password at once:',
    new URL('/forgot-password', place.publicUrl).href,
  ])

/** Tells somebody that one of their sessions was used in two places and has been ended. */
export const reusedSessionLetter = (
  place: Place,
  who: { readonly to: string; readonly name: string },
  device: string,
): Letter =>
  letter(who.to, 'One of your sign-ins to Dossier was ended', [
    `Hello ${oneLine(who.name)},`,
    `a sign-in to your account at ${place.publicUrl.host} (${device}) was used in two places, as a stolen one would be. To be safe it has been ended. Your other sign-ins go on.`,
    'If this happens again, change your password and look through the places where you are signed in:',
    new URL('/account/sessions', place.publicUrl).href,
  ])

/** Tells somebody what happened to the second factors of their account; `news` is one sentence. */
export const factorLetter = (place: Place, who: { readonly to: string; readonly name: string }, news: string): Letter =>
  letter(who.to, 'The security of your Dossier account', [
    `Hello ${oneLine(who.name)},`,
    `about your account at ${place.publicUrl.host}: ${news}`,
    'If it was not you, change your password at once and look through your security settings:',
    new URL('/account/security', place.publicUrl).href,
  ])

/** What is kept of a letter that went out: everything but the code, so that old letters open nothing. */
export const withoutCodes = (text: string): string => text.replaceAll(/([?&]code=)[\w-]+/g, '$1…')
