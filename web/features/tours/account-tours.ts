import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import { targetSelector } from './tour-targets.ts'

const OTHER_PAGES = {
  selector: targetSelector('section-nav'),
  title: t('Other account pages'),
  text: t('Switch between profile, security, sessions and API tokens.'),
}

const MORE_HELP = {
  selector: targetSelector('help'),
  title: t('More help'),
  text: t('Select the question mark for help on this page, filters, shortcuts and settings.'),
}

/** Tours of the pages about one's own account, each on the page that is open. */
export const accountTours = {
  profile: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('Your display name'),
        text: t('Your name appears next to your comments and changes.'),
      },
      OTHER_PAGES,
      MORE_HELP,
    ],
  },
  security: {
    version: 1,
    steps: [
      {
        selector: targetSelector('security-summary'),
        title: t('Account protection'),
        text: t('How your account is protected, and how to improve it.'),
      },
      {
        selector: targetSelector('passkeys'),
        title: t('Passkeys'),
        text: t('Sign in with your fingerprint, face or a key. Passkeys can’t be guessed or phished.'),
      },
      {
        selector: targetSelector('totp'),
        title: t('Authenticator app'),
        text: t('A code from your phone, in addition to your password.'),
      },
      {
        selector: targetSelector('password'),
        title: t('Your password'),
        text: t('When you change it, you can sign out all other devices.'),
      },
    ],
  },
  sessions: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('Active sessions'),
        text: t('Devices and programs signed in to your account.'),
      },
      {
        selector: targetSelector('sessions'),
        title: t('Sign out a device'),
        text: t(
          'Sign out a device you don’t recognize; it loses access with its next request. Then change your password.',
        ),
      },
      OTHER_PAGES,
    ],
  },
  tokens: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('Programs that act on your behalf'),
        text: t('A token gives a program some of your permissions, never more. It is shown only once.'),
      },
      OTHER_PAGES,
      MORE_HELP,
    ],
  },
} as const satisfies { readonly [tour: string]: TourDefinition }
