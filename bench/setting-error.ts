/** Nothing can be measured before something outside is changed; the message says what. */
export class SettingError extends Error {
  readonly code = 'SETTING';
}
