import { describe, expect, test } from 'vitest'
import { checkPassword } from './password-rules.ts'

const owner = { email: 'ada@example.org', name: 'Ada Lovelace' }

describe('a password', () => {
  test.each([
    'correct otter violin seventeen',
    'kX8#fq-Wd2!nTz0pL',
    'Zürich regnet nie im Gärtnerhof',
    '我的密码是一个很长的句子没有人知道',
    'gN7 gN7 teaspoon meteorite',
  ])('with unusual words or random characters is accepted: %s', (password) => {
    expect(checkPassword(password, owner)).toBe('good')
  })

  test('needs at least fifteen characters', () => {
    expect(checkPassword('otterviolinmin', owner)).toBe('too-short')
    expect(checkPassword('otterviolinmint', owner)).toBe('good')
  })

  test('with a second factor needs at least eight characters', () => {
    const secured = { ...owner, hasSecondFactor: true }
    expect(checkPassword('kX8#fq-', secured)).toBe('too-short-of-two')
    expect(checkPassword('kX8#fq-W', secured)).toBe('good')
    expect(checkPassword('password', secured)).toBe('too-common')
  })

  test('is measured in characters, not bytes or surrogates', () => {
    expect(checkPassword('🦦🎻🌿🧲🪐🧭🪁', owner)).toBe('too-short')
  })

  test('with more than 1,024 characters is rejected', () => {
    expect(checkPassword('abcdefgh9!'.repeat(103), owner)).toBe('too-long')
  })

  test.each(['aaaaaaaaaaaaaaaa', '1212121212121212', 'abcabcabcabcabcabc'])(
    'with too few distinct characters is rejected: %s',
    (password) => {
      expect(checkPassword(password, owner)).toBe('too-simple')
    },
  )

  test.each([
    'passwordpassword1',
    'Password-Password-2026!',
    '123456789012345',
    'qwertyuiopasdfghjkl',
    'mnbvcxzlkjhgfdsapoiuy',
    'iloveyouforever2024',
    'adalovelace123456',
    'letmeinletmeinletmein',
  ])('with only common words, sequences or the user’s own name is rejected: %s', (password) => {
    expect(checkPassword(password, owner)).toBe('too-common')
  })

  test('that contains the email address is rejected', () => {
    expect(checkPassword('xk29-ADA@example.org-zz', owner)).toBe('holds-email')
  })

  test('of the maximum length is checked as well', () => {
    expect(checkPassword('password'.repeat(128), owner)).toBe('too-common')
  })
})
